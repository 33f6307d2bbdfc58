import { named, stream, Type } from '@icosa/contract'
import { get, post } from '../dialect/contract.ts'
import { Artifact, Media } from '../shapes/contract.ts'

const { Optional } = Type

const ArtifactFormat = named('ArtifactFormat', {
  label: Type.String(),
  contentType: Type.String(),
  fileExtension: Type.String(),
  forContentType: Type.String(),
  preserveAspectRatio: Type.Boolean(),
  upscaleAllowed: Type.Boolean(),
  public: Type.Boolean(),
})

export const media = {
  createMedia: post('/media', {
    summary:
      'Upload an image, video or audio file: raw, in a form or in Base64. Its type is detected from its content.',
    body: stream({ types: ['*/*'], maxBytes: 5 * 1024 ** 3 }),
    replies: { 200: Media },
  }),
  getMedia: get('/media/{id}', {
    summary: 'Read the progress of a file’s renditions, as its uploader or a moderator.',
    replies: {
      200: named('MediaState', {
        ...Media.properties,
        status: Type.Enum(['processing', 'ready', 'failed']),
        step: Optional(Type.String()),
        progress: Optional(Type.Number({ description: 'From 0 to 1.' })),
        message: Optional(Type.String({ description: 'Why it has no renditions.' })),
        artifacts: Type.Array(Artifact),
      }),
    },
    extension: true,
  }),
  listArtifactFormats: get('/artifact-formats', {
    summary: 'List the formats of renditions.',
    replies: {
      200: named('ArtifactFormats', {
        contribution: Type.Array(ArtifactFormat),
        cover: Type.Array(ArtifactFormat),
        profileImage: Optional(Type.Array(ArtifactFormat)),
      }),
    },
  }),
}
