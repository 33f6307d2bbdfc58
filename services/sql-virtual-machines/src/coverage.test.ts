import { coverService } from '@icosa/testing/cover'
import { testService } from './testing/app.ts'
import { seed } from './testing/seed.ts'

const expanded = 'returned with $expand: src/machines/settings.test.ts'
const rejected = 'rejected by name: src/machines/settings.test.ts'

coverService(testService(), {
  seed,
  fields: {
    'AvailabilityGroupListeners_CreateOrUpdate properties.createDefaultAvailabilityGroupIfNotExist':
      'always true: src/machines/settings.test.ts',
    'SqlVirtualMachineGroups_CreateOrUpdate properties.wsfcDomainProfile': rejected,
    'SqlVirtualMachines_CreateOrUpdate identity': rejected,
    Queries_Run: 'an action: src/queries/queries.test.ts',
    '*.wsfcDomainCredentials': rejected,
    '*.autoBackupSettings': expanded,
    '*.autoPatchingSettings': expanded,
    '*.keyVaultCredentialSettings': expanded,
    '*.serverConfigurationsManagementSettings': expanded,
    '*.storageConfigurationSettings': expanded,
  },
})
