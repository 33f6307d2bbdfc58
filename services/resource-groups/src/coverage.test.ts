import { coverService } from '@icosa/testing/cover'
import { resourceGroups } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(resourceGroups(), {
  seed,
  fields: {
    CancelTagSyncTask: 'an action: src/tag-sync/tag-sync.test.ts',
    DeleteGroup: 'an action: src/groups/groups.test.ts',
    GroupResources: 'an action: src/members/members.test.ts',
    UngroupResources: 'an action: src/members/members.test.ts',
  },
})
