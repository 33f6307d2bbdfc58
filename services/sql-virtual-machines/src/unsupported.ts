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
    instead: 'There is no Windows domain: the group has a monitor of its own. Leave it out.',
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
    instead: 'Backups lie encrypted in a vault of the backup service. Leave it out.',
  },
  logBackup: {
    name: '`logBackupFrequency`',
    answer: 501,
    instead: 'There are whole backups only. Leave it out.',
  },
  systemBackup: {
    name: '`backupSystemDbs` `true`',
    answer: 501,
    instead: 'The database `main` is backed up. Leave it out.',
  },
  disks: {
    name: '`diskConfigurationType` other than `NEW`, `sqlDataSettings`, `sqlLogSettings`, `sqlTempDbSettings`, `sqlStorageUpdateSettings`',
    answer: 501,
    instead: 'A machine has one folder on the disk of its node, as large as its sqlImageSku says. Leave it out.',
  },
  rServices: { name: '`isRServicesEnabled` `true`', answer: 501, instead: 'Leave it out.' },
  loadBalancer: {
    name: '`loadBalancerResourceId`, `privateIpAddress`, `publicIpAddressResourceId` of a listener',
    answer: 501,
    instead: 'A listener is open on every node that runs machines, as `endpoints` says. Leave it out.',
  },
  regroup: {
    name: 'another `sqlVirtualMachineGroupResourceId`, `sqlImageSku`, `port` or `location` for a machine that is there',
    answer: 409,
    instead: 'They are decided when it is created. Make another machine.',
  },
  deletedGroup: {
    name: '`DELETE` of a group with machines',
    answer: 409,
    instead: '`GroupNotEmpty`. Delete its machines first.',
  },
  license: {
    name: '`sqlServerLicenseType`',
    answer: 'no effect',
    instead: 'It is kept and shown. There is nothing to license.',
  },
  virtualMachine: {
    name: '`virtualMachineResourceId`',
    answer: 'no effect',
    instead: 'It is kept and shown. A machine is made for it, not found.',
  },
  availabilityGroup: {
    name: '`availabilityGroupName`, `createDefaultAvailabilityGroupIfNotExist`',
    answer: 'no effect',
    instead: 'A group is one cluster, which is there already.',
  },
  engine: {
    name: 'Transact-SQL and its protocol',
    answer: 'differs',
    instead: 'A machine is a PostgreSQL: connect with `psql` or a driver for it.',
  },
  administrator: {
    name: 'the administrator of a machine',
    answer: 'differs',
    instead:
      'Its user may make databases, but neither roles nor superusers, who would reach the files of the node. A second one comes by `sqlAuthUpdateUserName`.',
  },
  patching: {
    name: 'what patching installs',
    answer: 'differs',
    instead: 'The operator installs; in its window a machine starts again with what is installed by then.',
  },
  managers: {
    name: '`clusterConfiguration`, `clusterManagerType`',
    answer: 'never',
    instead: 'Their only values name Windows Server failover clusters.',
  },
} as const satisfies Gaps
