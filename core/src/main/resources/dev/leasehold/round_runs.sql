-- The run history, a row for each run of a round: written at its begin, and once more at its end, which stays HOT.
create table round_runs (
  lease      text not null,
  fence      bigint not null,            -- of the lease: no two runs of it have the same
  round      text not null,
  node       text,                       -- null if only its taker tells of it
  slot       timestamptz,                -- null as node, and for a lease without a slot
  extra      boolean not null,           -- an extra run, which never counts
  holder     text not null,
  started_at timestamptz not null,
  ended_at   timestamptz,                -- null while it runs
  outcome    text,                       -- null while it runs
  counted    boolean not null,           -- the slot is counted, so that it is not due again
  error      text,                       -- what the work threw, 2,000 characters at most
  primary key (lease, fence)
) with (fillfactor = 80);
create index on round_runs (started_at);
create index on round_runs (round, started_at);
