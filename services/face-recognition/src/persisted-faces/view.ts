import type { FaceRow } from './store.ts'

export const toFace = ({ id, userData }: FaceRow) => ({ persistedFaceId: id, ...(userData !== null && { userData }) })
