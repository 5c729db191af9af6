-- What the uptime checks saw, and what the alert evaluation made of it.

create table check_result (
  monitor_id  bigint not null references monitor (id) on delete cascade,
  node        text not null,
  slot        timestamptz not null,  -- the round's slot: a second run of the same slot adds nothing
  outcome     text not null check (outcome in ('up', 'down', 'unknown')),  -- unknown: this node could not check
  status_code int,
  duration_ms int not null,
  detail      text not null default '',
  checked_at  timestamptz not null default now(),
  primary key (monitor_id, node, slot)
);

create index check_result_checked_at on check_result (checked_at);

-- A row a monitor that was ever evaluated: seq is that of its last transition.
create table monitor_state (
  monitor_id bigint primary key references monitor (id) on delete cascade,
  state      text not null check (state in ('up', 'down')),
  seq        bigint not null,
  since      timestamptz not null
);

create table transition (
  monitor_id   bigint not null references monitor (id) on delete cascade,
  seq          bigint not null,
  from_state   text check (from_state in ('up', 'down')),  -- null: the first state ever seen
  to_state     text not null check (to_state in ('up', 'down')),
  detail       text not null default '',
  occurred_at  timestamptz not null default now(),
  unique (monitor_id, seq)
);

-- What is to be delivered, a row a channel: written with the transition, in its transaction.
create table outbox (
  monitor_id   bigint not null,
  seq          bigint not null,
  channel      text not null check (channel in ('log', 'webhook')),
  attempts     int not null default 0,
  last_error   text,
  next_attempt_at timestamptz not null default now(),
  delivered_at timestamptz,
  unique (monitor_id, seq, channel),
  foreign key (monitor_id, seq) references transition (monitor_id, seq) on delete cascade
);

create index outbox_next_attempt_at on outbox (next_attempt_at) where delivered_at is null;
