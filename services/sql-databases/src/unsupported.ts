import type { Gaps } from '@icosa/module'

export const unsupported = {
  createMode: {
    name: '`createMode` other than `Default` and `Copy`',
    answer: 501,
    instead:
      'A restore job of the backup service restores a database, to any second too; nothing is replicated. Use `Default` or `Copy`.',
  },
  sampleName: { name: '`sampleName`', answer: 501, instead: 'Leave it out, and load your own rows.' },
  collation: {
    name: '`collation` of SQL Server in a language that is not one of some twenty',
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
    instead: 'Every database has a user of its own, which `POST listCredentials` shows. Leave it out.',
  },
  identity: { name: '`identity` of a server', answer: 501, instead: 'Leave it out.' },
  firewallRules: {
    name: '`firewallRules`: creating one',
    answer: 501,
    instead:
      'Databases are reached from wherever the SQL host is. Ask the operator, who decides that for all servers in `pg_hba.conf`.',
  },
  restoreFields: {
    name: '`restorePointInTime`, `restorableDroppedDatabaseId`, `recoverableDatabaseId`, `recoveryServicesRecoveryPointId`, `longTermRetentionBackupResourceId`, `sourceDatabaseDeletionDate`',
    answer: 501,
    instead: 'They belong to a `createMode` that is not built: the backup service restores databases. Leave them out.',
  },
  otherResources: {
    name: 'what else its maker has on servers and databases: backups, failover groups, auditing, encryption, replication links and more',
    answer: 404,
    instead: 'There are servers, elastic pools, databases, usages and operations.',
  },
  deletedServer: {
    name: '`DELETE` of a server with databases',
    answer: 409,
    instead: '`ServerNotEmpty`, where the original deletes all of them. Delete them first.',
  },
  licenseType: {
    name: '`licenseType`',
    answer: 'no effect',
    instead: 'It is kept and shown. There is nothing to license.',
  },
  engine: {
    name: 'Transact-SQL and its protocol',
    answer: 'differs',
    instead: 'A database is one of PostgreSQL: connect with `psql` or a driver for it.',
  },
  comparison: {
    name: 'a `collation` that ignores case or accents',
    answer: 'differs',
    instead: "Texts sort alike, but are still told apart: `'a' = 'A'` is false.",
  },
  tiers: {
    name: 'what a sku stands for',
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
    instead: 'They say 12.0, which clients expect, whatever version PostgreSQL has.',
  },
  earliestRestoreDate: {
    name: '`earliestRestoreDate`',
    answer: 'differs',
    instead: 'It is the date of creation: nothing older could be restored, and restoring is not built.',
  },
  defaultSecondaryLocation: {
    name: '`defaultSecondaryLocation`',
    answer: 'differs',
    instead: "It is the database's own location, since there is one SQL host.",
  },
  readOnlyFields: {
    name: '`failoverGroupId`, `managedBy`, `maxLogSizeBytes`',
    answer: 'never',
    instead: 'Nothing here has them.',
  },
  status: {
    name: '`status` `Restoring`, `RecoveryPending`, `Recovering`, `Suspect`, `Offline`, `Standby`, `EmergencyMode`, `AutoClosed`, `OfflineSecondary`, `OfflineChangingDwPerformanceTiers`, `Disabled`',
    answer: 'never',
    instead: 'A database that could not be created or deleted is `Inaccessible`.',
  },
} as const satisfies Gaps
