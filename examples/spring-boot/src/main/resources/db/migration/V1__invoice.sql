create table invoice (
  number    bigint not null,
  customer  text not null
);
