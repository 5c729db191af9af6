-- What is watched, and who watches.

create table monitor (
  id          bigint generated always as identity primary key,
  name        text not null unique,
  url         text not null,
  timeout_ms  int not null default 5000 check (timeout_ms between 100 and 60000),  -- the total deadline of one check
  webhook_url text,                                                                -- where a transition is delivered, besides the log
  source      text not null check (source in ('file', 'api')),                     -- the file's monitors follow the file
  created_at  timestamptz not null default now()
);

create table domain (
  id         bigint generated always as identity primary key,
  name       text not null unique,  -- lower case, A-labels, no dot at the end
  source     text not null check (source in ('file', 'api')),
  created_at timestamptz not null default now()
);

-- An instance beats its row; a row without a beat for a while is an instance that is gone.
create table instance (
  id         text primary key,  -- new for each start of a process
  node       text not null,
  pid        bigint not null,
  url        text not null,
  started_at timestamptz not null default now(),
  beat_at    timestamptz not null default now()
);
