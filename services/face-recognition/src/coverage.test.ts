import { coverService } from '@icosa/testing/cover'
import { defaultSettings, faceRecognition } from './index.ts'
import { seed } from './testing/seed.ts'

const shownOnRequest = 'shown with returnRecognitionModel: src/collections/collections.test.ts'
const copied = 'source and target of a copy: src/snapshots/snapshots.test.ts'

coverService(faceRecognition(defaultSettings), {
  seed,
  creating: ['PersonGroup_Create', 'LargePersonGroup_Create', 'FaceList_Create', 'LargeFaceList_Create'],
  fields: {
    'PersonGroup_Create recognitionModel': shownOnRequest,
    'LargePersonGroup_Create recognitionModel': shownOnRequest,
    'FaceList_Create recognitionModel': shownOnRequest,
    'LargeFaceList_Create recognitionModel': shownOnRequest,
    'Snapshot_Take objectId': copied,
    'Snapshot_Apply objectId': copied,
    'Snapshot_Apply mode': 'has one value: src/snapshots/snapshots.test.ts',
  },
})
