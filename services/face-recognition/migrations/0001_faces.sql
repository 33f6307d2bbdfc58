-- Faces that were detected, until they expire.
create table detected_faces (
  tenant text not null,
  id uuid not null,
  recognition_model text not null,
  -- Sealed by the vault.
  descriptor bytea not null,
  expires_at timestamptz not null,
  primary key (tenant, id)
);
create index on detected_faces (expires_at);

-- Person groups, large person groups, face lists and large face lists. The uid stands for one in all other tables: one of
-- the same id made later is another.
create table collections (
  tenant text not null,
  kind text not null check (kind in ('PersonGroup', 'LargePersonGroup', 'FaceList', 'LargeFaceList')),
  id text collate "C" not null,
  uid uuid not null,
  name text not null,
  user_data text,
  recognition_model text not null,
  created_at timestamptz not null,
  -- Null until it is trained for the first time.
  training_status text check (training_status in ('running', 'succeeded', 'failed')),
  training_created_at timestamptz,
  training_action_at timestamptz,
  training_message text,
  trained_at timestamptz,
  -- The blob with what the last training found, and how many faces are in it; null until one has succeeded.
  gallery text,
  gallery_faces integer,
  primary key (tenant, kind, id)
);
create unique index on collections (tenant, uid);

create table persons (
  tenant text not null,
  collection uuid not null,
  id uuid not null,
  name text not null,
  user_data text,
  created_at timestamptz not null,
  primary key (tenant, collection, id)
);

create table persisted_faces (
  tenant text not null,
  collection uuid not null,
  id uuid not null,
  -- In a list, the face itself.
  person uuid not null,
  recognition_model text not null,
  user_data text,
  -- Sealed by the vault.
  descriptor bytea not null,
  created_at timestamptz not null,
  primary key (tenant, collection, id)
);
create index on persisted_faces (tenant, collection, person, id);

-- Copies of groups and lists, for two days. Their content is in a sealed blob of whoever took them.
create table snapshots (
  tenant text not null,
  id uuid not null unique,
  type text not null,
  -- The accounts that may apply it.
  apply_scope uuid[] not null,
  user_data text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  is_ready boolean not null,
  primary key (tenant, id)
);
create index on snapshots (expires_at);
create index on snapshots using gin (apply_scope);
