-- The lease table, a row a name. Needs no index besides the primary key: never index expires_at, or renewals are no longer HOT.
create table if not exists leases (
  name         text primary key,
  holder       text not null,                        -- new for each acquisition; '-' while an ended lease rests
  taken_at     timestamptz not null default now(),
  expires_at   timestamptz not null,                 -- 'epoch' once released
  fence        bigint not null default (extract(epoch from clock_timestamp()) * 1000000)::bigint,
  done_slot    timestamptz,                          -- rounds only: the slot of the last run that counts
  deaths       int not null default 0,               -- holders in a row that died without a release
  pause_reason text                                  -- rounds only: why none begins; null while not paused
) with (fillfactor = 50);
