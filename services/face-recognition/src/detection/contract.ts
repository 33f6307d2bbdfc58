import { named, oneOf, type Static, Type, withDefault } from '@icosa/contract'
import { landmarkNames } from '../engine/measure/names.ts'
import { Photo } from '../photos/contract.ts'
import { api, Confidence, DetectionModel, flag, RecognitionModel, Uuid } from '../shapes/contract.ts'

const Coordinate = named('Coordinate', { x: Type.Number(), y: Type.Number() })

const FaceLandmarks = Type.Object(Object.fromEntries(landmarkNames.map((name) => [name, Coordinate])), {
  title: 'FaceLandmarks',
})

const level = <const V extends string>(title: string, name: string, ...values: V[]) =>
  named(title, { [name]: oneOf(...values), value: Confidence })

const FaceAttributes = named('FaceAttributes', {
  headPose: Type.Optional(named('HeadPose', { pitch: Type.Number(), roll: Type.Number(), yaw: Type.Number() })),
  blur: Type.Optional(level('Blur', 'blurLevel', 'Low', 'Medium', 'High')),
  exposure: Type.Optional(level('Exposure', 'exposureLevel', 'UnderExposure', 'GoodExposure', 'OverExposure')),
  noise: Type.Optional(level('Noise', 'noiseLevel', 'Low', 'Medium', 'High')),
  qualityForRecognition: Type.Optional(oneOf('Low', 'Medium', 'High')),
})

const side = Type.Integer({ minimum: 0 })
const DetectedFace = named('DetectedFace', {
  faceId: Type.Optional(Uuid),
  recognitionModel: Type.Optional(RecognitionModel),
  faceRectangle: named('FaceRectangle', { top: side, left: side, width: side, height: side }),
  faceLandmarks: Type.Optional(FaceLandmarks),
  faceAttributes: Type.Optional(FaceAttributes),
})
export interface DetectedFace extends Static<typeof DetectedFace> {}

export const detection = {
  detect: api.post('/detect', {
    summary: 'Detect the faces in a photo, largest first. Returns their positions and ids for comparison.',
    query: Type.Object({
      returnFaceId: flag(true),
      returnFaceLandmarks: flag(false),
      returnFaceAttributes: Type.Optional(Type.String({ maxLength: 200, pattern: '^[A-Za-z, ]*$' })),
      recognitionModel: withDefault(RecognitionModel, 'recognition_01'),
      returnRecognitionModel: flag(false),
      detectionModel: withDefault(DetectionModel, 'detection_01'),
      faceIdTimeToLive: withDefault(Type.Integer({ minimum: 60, maximum: 86_400 }), 86_400),
    }),
    body: Photo,
    replies: { 200: Type.Array(DetectedFace) },
  }),
}
