-- The last mail security check of each domain, and what it found.

create table mail_check (
  domain_id  bigint primary key references domain (id) on delete cascade,
  checked_at timestamptz not null
);

create table mail_finding (
  domain_id   bigint not null references domain (id) on delete cascade,
  subject     text not null check (subject in ('spf', 'dmarc')),
  status      text not null check (status in ('ok', 'weak', 'missing', 'invalid', 'unknown')),  -- unknown: the look-up failed
  record      text,
  explanation text not null,
  found_at    timestamptz not null,
  primary key (domain_id, subject)
);
