/** A rendition format. Labels and their order are the same for every file. */
export interface Format {
  readonly label: string
  /** Source type, such as `image/*`. */
  readonly forContentType: string
  readonly contentType: string
  readonly fileExtension: string
  readonly preserveAspectRatio: boolean
  readonly upscaleAllowed: boolean
  /** Whether it is as visible as the contribution; others are for the owner and moderators. */
  readonly public: boolean
  /** Bounding box; filled if the aspect ratio is not preserved. */
  readonly box?: { readonly width: number; readonly height: number }
}

/** The uploaded bytes, with camera metadata. */
export const original = 'original'
/** The largest public rendition: upright, without camera metadata. */
export const fullsize = 'fullsize'
export const poster = 'poster'

const jpeg = { contentType: 'image/jpeg', fileExtension: 'jpg', upscaleAllowed: false, public: true }
const fitting = (label: string, side: number): Format => ({
  ...jpeg,
  label,
  forContentType: 'image/*',
  preserveAspectRatio: true,
  box: { width: side, height: side },
})
const square = (label: string, side: number, forContentType = 'image/*'): Format => ({
  ...jpeg,
  label,
  forContentType,
  preserveAspectRatio: false,
  box: { width: side, height: side },
})
const whole: Format = { ...jpeg, label: fullsize, forContentType: 'image/*', preserveAspectRatio: true }
const originalOf = (forContentType: string): Format => ({
  label: original,
  forContentType,
  contentType: forContentType,
  fileExtension: '',
  preserveAspectRatio: true,
  upscaleAllowed: false,
  public: false,
})
const rendition = (forContentType: string, contentType: string, fileExtension: string): Format => ({
  label: fullsize,
  forContentType,
  contentType,
  fileExtension,
  preserveAspectRatio: true,
  upscaleAllowed: false,
  public: true,
  ...(contentType.startsWith('video') && { box: { width: 1280, height: 720 } }),
})

/** By use. */
export const formats = {
  contribution: [
    square('thumbnail', 150),
    fitting('small', 320),
    fitting('medium', 640),
    fitting('large', 1280),
    whole,
    originalOf('image/*'),
    square('thumbnail', 150, 'video/*'),
    { ...fitting(poster, 1280), forContentType: 'video/*' },
    rendition('video/*', 'video/mp4', 'mp4'),
    originalOf('video/*'),
    rendition('audio/*', 'audio/mp4', 'm4a'),
    originalOf('audio/*'),
  ],
  cover: [fitting('medium', 640), fitting('large', 1280), whole, originalOf('image/*')],
  profileImage: [square('thumbnail', 150), fitting('medium', 640), originalOf('image/*')],
} as const satisfies Record<string, readonly Format[]>

/** All renditions that a picture can have; each use offers the ones in its own list. */
export const pictureFormats: readonly Format[] = formats.contribution.filter(
  ({ forContentType, label }) => forContentType === 'image/*' && label !== original,
)
