/**
 * Landmarks of the API, each the mean of points of the mesh. Left is the left of the picture. The mesh has no pupils: they
 * are the centre of the eye's corners and lids.
 */
export const landmarkPlaces = {
  pupilLeft: [33, 133, 159, 145],
  pupilRight: [362, 263, 386, 374],
  noseTip: [4],
  mouthLeft: [61],
  mouthRight: [291],
  eyebrowLeftOuter: [70],
  eyebrowLeftInner: [107],
  eyeLeftOuter: [33],
  eyeLeftTop: [159],
  eyeLeftBottom: [145],
  eyeLeftInner: [133],
  eyebrowRightInner: [336],
  eyebrowRightOuter: [300],
  eyeRightInner: [362],
  eyeRightTop: [386],
  eyeRightBottom: [374],
  eyeRightOuter: [263],
  noseRootLeft: [193],
  noseRootRight: [417],
  noseLeftAlarTop: [198],
  noseRightAlarTop: [420],
  noseLeftAlarOutTip: [129],
  noseRightAlarOutTip: [358],
  upperLipTop: [0],
  upperLipBottom: [13],
  underLipTop: [14],
  underLipBottom: [17],
} as const

export type LandmarkName = keyof typeof landmarkPlaces
export const landmarkNames = Object.keys(landmarkPlaces) as LandmarkName[]
