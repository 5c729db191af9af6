create table if not exists session (
  id         text primary key,
  expires_at timestamptz not null
);
