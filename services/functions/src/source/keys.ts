/** Keys of a tenant's blobs. */
export const uploadKey = (upload: string) => `uploads/${upload}.zip`
export const uploadIn = (key: string) => key.slice('uploads/'.length, -'.zip'.length)
export const sourceKey = (sha256: string) => `sources/${sha256}.zip`
export const artifactKey = (sha256: string) => `artifacts/${sha256}.tar.gz`
