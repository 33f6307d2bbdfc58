import { coverService } from '@icosa/testing/cover'
import { defaultSettings, faceRecognition } from './index.ts'
import { seed } from './testing/seed.ts'

const shownIfAsked = 'shown with returnRecognitionModel: src/collections/collections.test.ts'
const named = 'what is copied, and what becomes of it: src/snapshots/snapshots.test.ts'

coverService(faceRecognition(defaultSettings), {
  seed,
  creating: ['PersonGroup_Create', 'LargePersonGroup_Create', 'FaceList_Create', 'LargeFaceList_Create'],
  fields: {
    'PersonGroup_Create recognitionModel': shownIfAsked,
    'LargePersonGroup_Create recognitionModel': shownIfAsked,
    'FaceList_Create recognitionModel': shownIfAsked,
    'LargeFaceList_Create recognitionModel': shownIfAsked,
    'Snapshot_Take objectId': named,
    'Snapshot_Apply objectId': named,
    'Snapshot_Apply mode': 'there is one: src/snapshots/snapshots.test.ts',
  },
})
