-- What sign-in leaves behind for the sweep: both expire unanswered.

create table passkey_challenge (
  id         uuid primary key,
  challenge  bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

create index passkey_challenge_expires_at on passkey_challenge (expires_at);

create table sso_request (
  state         text primary key,
  nonce         text not null,
  code_verifier text not null,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz not null
);

create index sso_request_expires_at on sso_request (expires_at);
