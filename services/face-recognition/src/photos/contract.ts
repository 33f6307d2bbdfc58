import { bytes, Type, withDefault } from '@icosa/contract'
import { DetectionModel, FaceUserData } from '../shapes/contract.ts'

export const maxPhotoBytes = 6 * 1024 * 1024

/** The bytes of a photo, or its URL as JSON: `{ "url": "https://..." }`. */
export const Photo = bytes({ types: ['application/octet-stream', 'application/json'], maxBytes: maxPhotoBytes })

/** Query to add a face to a person or a list. */
export const FaceToAdd = Type.Object({
  userData: Type.Optional(FaceUserData),
  targetFace: Type.Optional(Type.String({ pattern: '^\\d{1,6}(,\\d{1,6}){3}$' })),
  detectionModel: withDefault(DetectionModel, 'detection_01'),
})
