import type { Gaps } from '@icosa/module'

export const unsupported = {
  secondaries: {
    name: '`createMode` `Secondary` and `OnlineSecondary`',
    answer: 501,
    instead: 'There is no replication. Use `Copy`.',
  },
  vaultRestores: {
    name: '`createMode` `RestoreLongTermRetentionBackup`, `RestoreExternalBackup` and `RestoreExternalBackupSecondary`',
    answer: 501,
    instead:
      'Recovery points belong to vaults of the backup service, whose access policies and locks apply to them: restore with its `StartRestoreJob`.',
  },
  collation: {
    name: '`collation` of SQL Server in a language other than some twenty',
    answer: 501,
    instead: 'Use a language such as `de-DE`, or `SQL_Latin1_General_CP1_CI_AS`.',
  },
  catalogCollation: { name: '`catalogCollation` other than `DATABASE_DEFAULT`', answer: 501, instead: 'Leave it out.' },
  readScale: {
    name: '`readScale` `Enabled`',
    answer: 501,
    instead: 'There are no replicas to read from. Leave it out.',
  },
  readReplicaCount: {
    name: '`readReplicaCount` above 0',
    answer: 501,
    instead: 'There are no replicas. Leave it out.',
  },
  zoneRedundant: {
    name: '`zoneRedundant`, of a database or a pool',
    answer: 501,
    instead: 'There is one SQL host. Leave it out.',
  },
  serverless: { name: 'a serverless sku (`GP_S_...`)', answer: 501, instead: 'It is serverless. Use `GP_Gen5`.' },
  minCapacity: {
    name: '`minCapacity` of a database',
    answer: 501,
    instead: 'It belongs to serverless databases. Leave it out.',
  },
  autoPauseDelay: {
    name: '`autoPauseDelay`',
    answer: 501,
    instead: 'Nothing would resume the database at the next sign-in. Use `pause` and `resume` instead.',
  },
  poolMinCapacity: {
    name: '`perDatabaseSettings.minCapacity` above 0',
    answer: 501,
    instead: 'Nothing is reserved for one database of a pool. Leave it out.',
  },
  administratorLogin: {
    name: '`administratorLogin` and `administratorLoginPassword` of a server',
    answer: 501,
    instead: 'Every database has its own user, which `POST listCredentials` returns. Leave it out.',
  },
  identity: { name: '`identity` of a server', answer: 501, instead: 'Leave it out.' },
  firewallRules: {
    name: '`firewallRules`: creating one',
    answer: 501,
    instead:
      'Databases can be reached from wherever the SQL host can. Ask the operator, who configures that for all servers in `pg_hba.conf`.',
  },
  vaultFields: {
    name: '`recoveryServicesRecoveryPointId` and `longTermRetentionBackupResourceId`',
    answer: 501,
    instead: 'They belong to a `createMode` that is not supported: the backup service restores from vaults.',
  },
  otherResources: {
    name: 'other resources of servers and databases: backups, failover groups, auditing, encryption, replication links and more',
    answer: 501,
    instead: 'There are servers, elastic pools, databases, usages, operations, and lists of what can be restored.',
  },
  deletedServer: {
    name: '`DELETE` of a server with databases',
    answer: 409,
    instead: '`ServerNotEmpty`, where the original deletes all of them. Delete them first.',
  },
  licenseType: {
    name: '`licenseType`',
    answer: 'no effect',
    instead: 'It is stored and returned. There is nothing to license.',
  },
  engine: {
    name: 'Transact-SQL and its protocol',
    answer: 'differs',
    instead: 'Databases are PostgreSQL: connect with `psql` or a PostgreSQL driver.',
  },
  comparison: {
    name: 'a `collation` that ignores case or accents',
    answer: 'differs',
    instead: "Texts sort as equal, but still differ: `'a' = 'A'` is false.",
  },
  sampleName: {
    name: '`sampleName`',
    answer: 'differs',
    instead:
      "The tables have the original's names; most of its tables, its views and procedures do not exist, and all rows are generated.",
  },
  tiers: {
    name: 'resources of a sku',
    answer: 'differs',
    instead: 'It limits connections and size. Cores and memory are not divided.',
  },
  fullyQualifiedDomainName: {
    name: '`fullyQualifiedDomainName`',
    answer: 'differs',
    instead: 'It is the SQL host, the same for all servers.',
  },
  serverVersion: {
    name: '`version` and `kind`',
    answer: 'differs',
    instead: 'They are 12.0, as clients expect, whatever the version of PostgreSQL.',
  },
  earliestRestoreDate: {
    name: '`earliestRestoreDate`',
    answer: 'differs',
    instead: 'It is left out while the database cannot be restored: before it is archived, or if nothing is.',
  },
  recovery: {
    name: '`createMode` `Recovery`',
    answer: 'differs',
    instead: 'The archive is in the blob storage of the installation; a copy in another region is up to its operator.',
  },
  defaultSecondaryLocation: {
    name: '`defaultSecondaryLocation`',
    answer: 'differs',
    instead: "It is the database's own location, since there is one SQL host.",
  },
  readOnlyFields: {
    name: '`failoverGroupId`, `managedBy`, `maxLogSizeBytes`',
    answer: 'never',
    instead: 'They do not apply here.',
  },
  status: {
    name: '`status` `RecoveryPending`, `Recovering`, `Suspect`, `Offline`, `Standby`, `EmergencyMode`, `AutoClosed`, `OfflineSecondary`, `OfflineChangingDwPerformanceTiers`, `Disabled`',
    answer: 'never',
    instead: 'A database that could not be created or deleted is `Inaccessible`.',
  },
} as const satisfies Gaps
