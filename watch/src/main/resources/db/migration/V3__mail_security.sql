-- The last mail security check of each domain, and what it found.

create table mail_check (
  domain_id  bigint primary key references domain (id) on delete cascade,
  checked_at timestamptz not null,
  conclusive boolean not null default true  -- false: a look-up failed, so it is tried again soon
);

create table mail_finding (
  domain_id   bigint not null references domain (id) on delete cascade,
  subject     text not null check (subject in ('spf', 'dmarc')),
  status      text not null check (status in ('ok', 'weak', 'missing', 'invalid', 'unknown')),  -- unknown: never looked up with success
  record      text,
  explanation text not null,
  found_at    timestamptz not null,
  primary key (domain_id, subject)
);
