import type { BlobUse, Retention } from '@icosa/kernel'

export const retention: Retention = {
  detected_faces: 'forgetExpired: once their ids have expired, a day at most',
  collections: 'their tenants delete them',
  persons: 'go with their group',
  persisted_faces: 'go with their group or list',
  snapshots: 'expireSnapshots: two days after they were taken',
}

export const blobs: BlobUse = {
  'galleries/': 'forgetOld, after every training, and clearAway',
  'snapshots/': 'their row is there first; expireSnapshots and removeContent delete them with it',
}
