/** Why a table, index or foreign key has no tenant. */
export type Kind =
  /** The same for all of a platform. */
  | 'global'
  /** Of one cell's machinery. A move of a tenant leaves it behind. */
  | 'cell'
  /** Of the people who sign in, in the issuer's cell: ADR 92. */
  | 'home'
  /** A name that is unique across tenants: the trigger `names` reserves it in icosa.names. */
  | 'reserved'
  /** Unique in a project or subscription, which belongs to one tenant. */
  | 'scoped'
  /** 80 random bits or more, unique without being reserved. */
  | 'random'
  /** Numbered by the cell: a move gives a tenant's rows new numbers in the other cell. */
  | 'numbered'
  /** Rows have a tenant but no key of their own. */
  | 'keyless'

export type Exception = readonly [Kind, reason: string]

/** By table, or by index or constraint with its table. An exempt table's indexes and references to or from it are exempt, too. */
export const exceptions: Readonly<Record<string, Exception>> = {
  'banking.labels': ['keyless', 'named by the hash of their content, and equal ones may be stored twice: ADR 70'],
  'banking.server_keys': ['global', 'the key of the bank itself, which clients have pinned'],
  'contribution_collection.login_attempts': ['cell', 'keyed hashes of guesses, which expire within a day'],
  'contribution_collection.logins': ['reserved', 'login'],
  'functions.retired_revisions': ['cell', 'stops instances on the nodes of the cell, within a week'],
  'icosa.cell': ['cell', 'its name'],
  'icosa.clock': ['cell', 'development mode moves it'],
  'icosa.credentials': ['random', 'access keys, with 40 random bits behind the tag of the tenant'],
  'icosa.data_key_origin': ['cell', 'one row about the data keys'],
  'icosa.data_keys': ['cell', 'wrapped by the master key of the cell'],
  'icosa.fence': ['cell', 'one row'],
  'icosa.jobs': ['numbered', 'the order of the queue'],
  'icosa.leases': ['cell', 'which worker leads'],
  'icosa.master_keys': ['cell', 'wrapped by a token of the cell'],
  'icosa.migrations': ['cell', 'what was applied here'],
  'icosa.name_changes': ['cell', 'reported to the directory of cells before a move'],
  'icosa.names': ['reserved', 'every purpose'],
  'icosa.operated': ['cell', 'one row'],
  'icosa.revocations': ['global', 'tokens are valid in every cell; subjects expire after 25 hours'],
  'icosa.schedules': ['cell', 'one per recurring job of a service'],
  'icosa.signing_keys': ['global', 'keys of the issuer: every cell verifies its tokens'],
  'icosa.subscriptions': ['reserved', 'subscription'],
  'icosa.tenant_key_use': ['cell', 'since when tenants have keys of their own here'],
  'icosa.tenant_states': ['cell', 'tenants that leave, or live in another cell'],
  'icosa.timers': ['numbered', 'fired once, into the queue'],
  'identity_connect.approvals approvals_client_id_fkey': ['home', 'clients are in the issuer’s cell'],
  'identity_connect.artifacts': ['home', 'sessions, grants and codes of people'],
  'identity_connect.attempts': ['home', 'keyed hashes of guesses, which expire within a day'],
  'identity_connect.challenges': ['home', 'of passkeys'],
  'identity_connect.clients clients_id_key': ['home', 'an authorization request names only its client'],
  'identity_connect.consents': ['home', 'of people for clients'],
  'identity_connect.link_tokens': ['home', 'of links'],
  'identity_connect.links': ['home', 'mails to people'],
  'identity_connect.passkeys': ['home', 'of people'],
  'identity_connect.people': ['home', 'a person signs in to clients of many tenants'],
  'platform.nodes': ['cell', 'heartbeats'],
  'platform.shared_folders': ['cell', 'folders that nodes share'],
  'podcast_directory.changes': ['numbered', 'the order of changes to the index'],
  'podcast_directory.hosts': ['cell', 'hosts of feeds that asked crawlers to wait'],
  'podcast_directory.shelves': ['numbered', 'of the index, by number of the tenant'],
  'podcast_directory.tenants tenants_number_key': ['numbered', 'prefixes the words of a tenant in the index'],
  'sql_databases.archive_bases': ['cell', 'base backups of the SQL host'],
  'sql_databases.archive_pieces': ['cell', 'the log of the SQL host, of all its tenants'],
  'sql_databases.archives': ['cell', 'of the SQL host'],
  'sql_databases.orphans': ['cell', 'databases of the SQL host without a row, until they are dropped'],
  'sql_virtual_machines.hosts': ['cell', 'machines of the operator'],
  'sql_virtual_machines.instances': ['cell', 'virtual machines, each bound to a host'],
  'sql_virtual_machines.openings': ['cell', 'ports of listeners on hosts'],
  'sql_virtual_machines.ports': ['cell', 'ports of the hosts'],

  'backup.vaults vaults_id_key': ['random', 'a UUID'],
  'configuration_stores.stores stores_by_name': ['reserved', 'store'],
  'event_detection.models models_generation_key': ['numbered', 'names instances in the mailbox'],
  'event_detection.models models_id_key': ['numbered', 'names a model in the mailbox'],
  'event_detection.versions versions_model_id_fkey': ['numbered', 'to the number of the model'],
  'face_recognition.snapshots snapshots_id_key': ['random', 'a UUID'],
  'functions.functions functions_address_key': ['reserved', 'function'],
  'functions.service_accounts service_accounts_project_name_key': ['scoped', 'its address names the project'],
  'hardware_security_modules.keys keys_by_id': ['random', 'a UUID'],
  'hardware_security_modules.modules modules_by_id': ['reserved', 'module'],
  'language_authoring.apps apps_id_key': ['random', 'a UUID'],
  'sql_databases.databases databases_id_key': ['random', 'a UUID'],
  'sql_databases.databases databases_physical_key': ['random', 'a UUID behind a prefix'],
  'sql_virtual_machines.groups groups_id_key': ['random', 'a UUID'],
  'sql_virtual_machines.listeners listeners_cluster_fkey': ['random', 'to the UUID of a group'],
  'sql_virtual_machines.listeners listeners_id_key': ['random', 'a UUID'],
  'sql_virtual_machines.machines machines_cluster_fkey': ['random', 'to the UUID of a group'],
  'sql_virtual_machines.machines machines_id_key': ['random', 'a UUID'],
}
