import { listContract, trainedContract } from './collections/contract.ts'
import { faceList, largeFaceList, largePersonGroup, personGroup } from './collections/names.ts'
import { comparison } from './comparison/contract.ts'
import { detection } from './detection/contract.ts'
import { facesContract, largeFacesContract } from './persisted-faces/contract.ts'
import { personsContract } from './persons/contract.ts'
import { snapshots } from './snapshots/contract.ts'

export const contracts = {
  Face: detection,
  Comparison: comparison,
  PersonGroup: trainedContract(personGroup),
  PersonGroupPerson: personsContract(personGroup),
  LargePersonGroup: trainedContract(largePersonGroup),
  LargePersonGroupPerson: personsContract(largePersonGroup),
  FaceList: listContract(faceList),
  FaceListFace: facesContract(faceList),
  LargeFaceList: trainedContract(largeFaceList),
  LargeFaceListFace: largeFacesContract(largeFaceList),
  Snapshot: snapshots,
}
