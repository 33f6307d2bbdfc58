-- People who contribute, own or moderate. Whoever calls with a credential of the platform is a user, too, under its id.
create table users (
  tenant text not null,
  id text not null,
  username text,
  display_name text,
  bio text,
  email text,
  registered_at timestamptz not null,
  primary key (tenant, id)
);
create unique index users_by_name on users (tenant, lower(username));

-- Names and passwords for the token endpoint. The endpoint does not know a tenant, so a name is somebody's in all of them.
create table logins (
  username text primary key,
  tenant text not null,
  user_id text not null,
  password_hash text not null,
  scopes text[] not null,
  foreign key (tenant, user_id) references users (tenant, id) on delete cascade
);
create index logins_by_user on logins (tenant, user_id);

create table login_attempts (
  key text primary key,
  failures integer not null,
  last_at timestamptz not null
);
create index login_attempts_by_age on login_attempts (last_at);

-- One for each token that the endpoint gave out.
create table sessions (
  tenant text not null,
  id text not null,
  user_id text not null,
  client text,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant, id),
  foreign key (tenant, user_id) references users (tenant, id) on delete cascade
);
create index sessions_by_age on sessions (expires_at);
create index sessions_by_user on sessions (tenant, user_id);

-- Who a user is elsewhere, by type: an account at another site.
create table linked_profiles (
  tenant text not null,
  user_id text not null,
  type text not null,
  profile jsonb not null,
  registered_at timestamptz not null,
  primary key (tenant, user_id, type),
  foreign key (tenant, user_id) references users (tenant, id) on delete cascade
);
create index linked_profiles_by_type on linked_profiles (tenant, type, user_id);

create table tag_sets (
  tenant text not null,
  id bigint generated always as identity,
  owner text not null,
  name text not null,
  url_words text not null,
  primary key (tenant, id)
);
create unique index tag_sets_by_words on tag_sets (tenant, owner, url_words);

create table tags (
  tenant text not null,
  id bigint generated always as identity,
  owner text not null,
  tag_set bigint,
  name text not null,
  url_words text not null,
  colour text,
  primary key (tenant, id),
  foreign key (tenant, tag_set) references tag_sets (tenant, id)
);
create unique index tags_by_words on tags (tenant, owner, url_words);
create index tags_by_set on tags (tenant, tag_set);

create table assignments (
  tenant text not null,
  id bigint generated always as identity,
  owner text not null,
  moderator text,
  name text not null,
  description text,
  url_words text not null,
  starts_at timestamptz,
  ends_at timestamptz,
  embargo timestamptz,
  is_featured boolean not null default false,
  media_required boolean not null default false,
  allows_anonymous boolean not null default false,
  receipt_message text,
  call_to_action text,
  cover bigint,
  tags bigint[] not null default '{}',
  created_at timestamptz not null,
  -- Nobody sees it any more; its contributions go in the background, then the row.
  deleted_at timestamptz,
  primary key (tenant, id)
);
create unique index assignments_by_words on assignments (tenant, owner, url_words) where deleted_at is null;
create index assignments_by_moderator on assignments (tenant, moderator) where moderator is not null;
-- Whose contributions nobody sees: not yet, or not any more. They are few at any moment.
create index assignments_by_embargo on assignments (tenant, embargo) where embargo is not null;
create index assignments_deleted on assignments (tenant) where deleted_at is not null;

-- What is searched by stands in columns, in the order of the filters.
create table contributions (
  tenant text not null,
  id bigint generated always as identity,
  assignment bigint not null,
  author text not null,
  -- In whose jurisdiction it is: the owner of its assignment.
  owner text not null,
  state text not null,
  is_public boolean not null,
  created_at timestamptz not null,
  headline text not null,
  body text,
  attribution text not null,
  url_words text not null,
  -- Of the headline, each as a hash with its tenant: an index over all tenants finds only those of one.
  words bigint[] not null,
  country text,
  -- The geohash of the point in twelve characters, and how many of them are known: fewer if no point was sent.
  cell text collate "C",
  cell_precision smallint,
  latitude double precision,
  longitude double precision,
  -- As it was sent: name, country, geohash, latLong, osm, google.
  place jsonb,
  -- image, video, audio
  media_types text[] not null default '{}',
  ip_address text,
  authority text not null,
  -- Nobody sees it any more; a job removes what belongs to it, then the row.
  deleted_at timestamptz,
  primary key (tenant, id),
  foreign key (tenant, assignment) references assignments (tenant, id)
);

create table like_counts (
  tenant text not null,
  contribution bigint not null,
  likes bigint not null,
  primary key (tenant, contribution),
  foreign key (tenant, contribution) references contributions (tenant, id) on delete cascade
) with (fillfactor = 50);

create table likes (
  tenant text not null,
  contribution bigint not null,
  user_id text not null,
  liked_at timestamptz not null,
  primary key (tenant, contribution, user_id),
  foreign key (tenant, contribution) references contributions (tenant, id) on delete cascade
);

create table flags (
  tenant text not null,
  contribution bigint not null,
  id bigint generated always as identity,
  user_id text not null,
  type text,
  email text,
  notes text,
  flagged_at timestamptz not null,
  primary key (tenant, contribution, id),
  foreign key (tenant, contribution) references contributions (tenant, id) on delete cascade
);

create table moderations (
  tenant text not null,
  contribution bigint not null,
  id bigint generated always as identity,
  moderator text not null,
  action text not null,
  state_before text not null,
  notes text,
  moderated_at timestamptz not null,
  primary key (tenant, contribution, id),
  foreign key (tenant, contribution) references contributions (tenant, id) on delete cascade
);

create table forms (
  tenant text not null,
  id bigint generated always as identity,
  owner text not null,
  name text,
  heading text,
  call_to_action text,
  css_url text,
  no_css boolean,
  fields jsonb not null default '[]',
  tags bigint[] not null default '{}',
  primary key (tenant, id)
);
create index forms_by_owner on forms (tenant, owner, id);

create table form_responses (
  tenant text not null,
  id bigint generated always as identity,
  form bigint not null,
  contribution bigint,
  user_id text not null,
  responses jsonb not null,
  responded_at timestamptz not null,
  primary key (tenant, id),
  foreign key (tenant, form) references forms (tenant, id) on delete cascade,
  foreign key (tenant, contribution) references contributions (tenant, id) on delete cascade
);
create index form_responses_by_form on form_responses (tenant, form, id);
create index form_responses_by_user on form_responses (tenant, user_id, id);
create index form_responses_by_contribution on form_responses (tenant, contribution, id) where contribution is not null;

create table subscriptions (
  tenant text not null,
  id bigint generated always as identity,
  user_id text not null,
  -- Of a credential of the platform, in whose jurisdiction all of the tenant's is.
  is_tenant boolean not null,
  assignment bigint,
  types text[] not null,
  include_body boolean not null,
  include_thumbnail boolean not null,
  email text,
  slack_channel text,
  url text,
  -- Sealed: it signs what is sent to `url`.
  token bytea not null,
  created_at timestamptz not null,
  primary key (tenant, id),
  foreign key (tenant, assignment) references assignments (tenant, id) on delete cascade
);
create index subscriptions_by_user on subscriptions (tenant, user_id, id);

create table events (
  tenant text not null,
  id bigint generated always as identity,
  type text not null,
  contribution bigint not null,
  assignment bigint not null,
  owner text not null,
  -- What subscribers are told, as it was when it happened.
  content jsonb not null,
  happened_at timestamptz not null,
  primary key (tenant, id)
);
create index events_by_age on events (happened_at);
create index events_by_contribution on events (tenant, contribution);

-- One attempt after another until it has arrived: a subscription gets an event once.
create table deliveries (
  tenant text not null,
  event bigint not null,
  subscription bigint not null,
  channel text not null,
  attempts integer not null default 0,
  result text,
  message text,
  updated_at timestamptz not null,
  primary key (tenant, event, subscription, channel),
  foreign key (tenant, event) references events (tenant, id) on delete cascade,
  foreign key (tenant, subscription) references subscriptions (tenant, id) on delete cascade
);
