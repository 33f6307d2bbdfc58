import { coverService } from '@icosa/testing/cover'
import { testService } from './testing/app.ts'
import { seed } from './testing/seed.ts'

const expanded = 'shown with $expand: src/machines/settings.test.ts'
const refused = 'refused by name: src/machines/settings.test.ts'

coverService(testService(), {
  seed,
  fields: {
    'AvailabilityGroupListeners_CreateOrUpdate properties.createDefaultAvailabilityGroupIfNotExist':
      'always so: src/machines/settings.test.ts',
    'SqlVirtualMachineGroups_CreateOrUpdate properties.wsfcDomainProfile': refused,
    'SqlVirtualMachines_CreateOrUpdate identity': refused,
    '*.wsfcDomainCredentials': refused,
    '*.autoBackupSettings': expanded,
    '*.autoPatchingSettings': expanded,
    '*.keyVaultCredentialSettings': expanded,
    '*.serverConfigurationsManagementSettings': expanded,
    '*.storageConfigurationSettings': expanded,
  },
})
