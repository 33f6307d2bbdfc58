import type { Gaps } from '@icosa/module'

export const unsupported = {
  image: {
    name: '`sqlImageOffer` of SQL Server',
    answer: 501,
    instead: 'A machine runs PostgreSQL. Use `PostgreSQL15`, or leave it out.',
  },
  domainProfile: {
    name: '`wsfcDomainProfile` of a group',
    answer: 501,
    instead: 'There is no Windows domain: the group has its own monitor. Leave it out.',
  },
  domainCredentials: {
    name: '`wsfcDomainCredentials` of a machine',
    answer: 501,
    instead: 'There is no Windows domain. Leave it out.',
  },
  identity: { name: '`identity` of a machine', answer: 501, instead: 'Leave it out.' },
  keyVault: {
    name: '`keyVaultCredentialSettings` with anything but `enable` `false`',
    answer: 501,
    instead: 'Nothing in a machine reads credentials from a key vault. Leave it out.',
  },
  backupStorage: {
    name: '`storageAccountUrl`, `storageAccessKey` and `password` of `autoBackupSettings`',
    answer: 501,
    instead: 'Backups are stored encrypted in a vault of the backup service. Leave it out.',
  },
  logBackup: {
    name: '`logBackupFrequency`',
    answer: 501,
    instead: 'There are only full backups. Leave it out.',
  },
  systemBackup: {
    name: '`backupSystemDbs` `true`',
    answer: 501,
    instead: 'Only the database `main` is backed up. Leave it out.',
  },
  disks: {
    name: '`diskConfigurationType` other than `NEW`, `sqlDataSettings`, `sqlLogSettings`, `sqlTempDbSettings`, `sqlStorageUpdateSettings`',
    answer: 501,
    instead: 'A machine has one folder on the disk of its node, with the size of its sqlImageSku. Leave it out.',
  },
  rServices: { name: '`isRServicesEnabled` `true`', answer: 501, instead: 'Leave it out.' },
  loadBalancer: {
    name: '`loadBalancerResourceId`, `privateIpAddress`, `publicIpAddressResourceId` of a listener',
    answer: 501,
    instead: 'A listener is open on every node that runs machines, as listed in `endpoints`. Leave it out.',
  },
  regroup: {
    name: 'another `sqlVirtualMachineGroupResourceId`, `sqlImageSku`, `port` or `location` for an existing machine',
    answer: 409,
    instead: 'They are immutable. Create another machine.',
  },
  deletedGroup: {
    name: '`DELETE` of a group with machines',
    answer: 409,
    instead: '`GroupNotEmpty`. Delete its machines first.',
  },
  license: {
    name: '`sqlServerLicenseType`',
    answer: 'no effect',
    instead: 'It is stored and returned. There is nothing to license.',
  },
  virtualMachine: {
    name: '`virtualMachineResourceId`',
    answer: 'no effect',
    instead: 'It is stored and returned. A machine is created, not adopted.',
  },
  availabilityGroup: {
    name: '`availabilityGroupName`, `createDefaultAvailabilityGroupIfNotExist`',
    answer: 'no effect',
    instead: 'A group always has one cluster.',
  },
  engine: {
    name: 'Transact-SQL and its protocol',
    answer: 'differs',
    instead: 'A machine is a PostgreSQL server: connect with `psql` or a PostgreSQL driver.',
  },
  administrator: {
    name: 'the administrator of a machine',
    answer: 'differs',
    instead:
      'Its user may create databases, but neither roles nor superusers, which could access the files of the node. `sqlAuthUpdateUserName` creates a second one.',
  },
  patching: {
    name: 'contents of patches',
    answer: 'differs',
    instead: 'The operator installs updates; in its window a machine restarts with the installed version.',
  },
  managers: {
    name: '`clusterConfiguration`, `clusterManagerType`',
    answer: 'never',
    instead: 'Their only values name Windows Server failover clusters.',
  },
} as const satisfies Gaps
