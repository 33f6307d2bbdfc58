import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Language and faces',
  resources: {
    PersonGroup_List: {
      title: 'Person groups',
      type: 'face-recognition/personGroups',
      about: 'A trained person group identifies its people by their faces.',
      columns: ['name', 'personGroupId', 'recognitionModel', 'userData'],
      example: { name: 'Team', recognitionModel: 'recognition_04' },
      panels: [
        {
          title: 'Training',
          operation: 'PersonGroup_GetTrainingStatus',
          show: { as: 'tree', root: '' },
        },
        {
          title: 'Identify',
          operation: 'Comparison_Identify',
          about: 'Detected faces and the people of the group whose faces are like them.',
          fields: { personGroupId: 'personGroupId' },
          body: { faceIds: [] },
          show: { as: 'ranking', rows: 'candidates', label: 'personId', value: 'confidence' },
        },
      ],
    },
    PersonGroupPerson_List: {
      title: 'Persons',
      about: 'A person with one or more faces to recognize.',
      columns: ['name', 'personId', 'userData'],
      example: { name: 'Ada' },
      panels: [{ title: 'Faces', show: { as: 'table', rows: 'persistedFaceIds' }, columns: ['value'] }],
    },
    LargePersonGroup_List: {
      title: 'Large person groups',
      type: 'face-recognition/largePersonGroups',
      about: 'A person group for up to a million people.',
      columns: ['name', 'largePersonGroupId', 'recognitionModel', 'userData'],
      example: { name: 'Visitors', recognitionModel: 'recognition_04' },
      panels: [
        {
          title: 'Training',
          operation: 'LargePersonGroup_GetTrainingStatus',
          show: { as: 'tree', root: '' },
        },
        {
          title: 'Identify',
          operation: 'Comparison_Identify',
          about: 'Detected faces and the people of the group whose faces are like them.',
          fields: { largePersonGroupId: 'largePersonGroupId' },
          body: { faceIds: [] },
          show: { as: 'ranking', rows: 'candidates', label: 'personId', value: 'confidence' },
        },
      ],
    },
    LargePersonGroupPerson_List: {
      title: 'Persons',
      about: 'A person with one or more faces to recognize.',
      columns: ['name', 'personId', 'userData'],
      example: { name: 'Ada' },
      panels: [{ title: 'Faces', show: { as: 'table', rows: 'persistedFaceIds' }, columns: ['value'] }],
    },
    FaceList_List: {
      title: 'Face lists',
      type: 'face-recognition/faceLists',
      about: 'A face list is searched for similar faces.',
      columns: ['name', 'faceListId', 'recognitionModel', 'userData'],
      example: { name: 'Press photos', recognitionModel: 'recognition_04' },
    },
    LargeFaceList_List: {
      title: 'Large face lists',
      type: 'face-recognition/largeFaceLists',
      about: 'A face list for up to a million faces.',
      columns: ['name', 'largeFaceListId', 'recognitionModel', 'userData'],
      example: { name: 'Archive', recognitionModel: 'recognition_04' },
    },
    LargeFaceListFace_ListFaces: {
      title: 'Faces',
      about: 'Add a face by uploading an image.',
      columns: ['persistedFaceId', 'userData'],
    },
    Snapshot_List: {
      title: 'Face snapshots',
      about: 'A snapshot copies a person group or face list to another account.',
      columns: ['id', 'type', 'userData', 'createdTime'],
      example: { type: 'PersonGroup', objectId: 'team', applyScope: [] },
    },
  },
  panels: [
    {
      title: 'Detect',
      operation: 'Face_Detect',
      about: 'Faces in a picture. Their IDs can be compared for a day.',
      show: {
        as: 'boxes',
        picture: 'sent:',
        boxes: '',
        left: 'faceRectangle.left',
        top: 'faceRectangle.top',
        width: 'faceRectangle.width',
        height: 'faceRectangle.height',
        label: 'faceId',
      },
    },
    {
      title: 'Compare',
      operation: 'Comparison_Verify',
      body: { faceId1: '', faceId2: '' },
      show: { as: 'tree', root: '' },
    },
  ],
}
