/** What is made of a media file, under which label. The labels and their order are the same for every file. */
export interface Format {
  readonly label: string
  /** Of the media from which it is made: `image/*`. */
  readonly forContentType: string
  readonly contentType: string
  readonly fileExtension: string
  readonly preserveAspectRatio: boolean
  readonly upscaleAllowed: boolean
  /** Whether anybody may see it who may see the contribution; the others are for the owner and moderators. */
  readonly public: boolean
  /** The box into which it fits, or that it fills if it does not keep its proportions. */
  readonly box?: { readonly width: number; readonly height: number }
}

/** Keeps the bytes as they were sent, with all that the camera wrote into them. */
export const original = 'original'
/** The largest copy that is public: turned upright, without what the camera wrote. */
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
const kept = (forContentType: string): Format => ({
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

/** By what the media is used for. */
export const formats = {
  contribution: [
    square('thumbnail', 150),
    fitting('small', 320),
    fitting('medium', 640),
    fitting('large', 1280),
    whole,
    kept('image/*'),
    square('thumbnail', 150, 'video/*'),
    { ...fitting(poster, 1280), forContentType: 'video/*' },
    rendition('video/*', 'video/mp4', 'mp4'),
    kept('video/*'),
    rendition('audio/*', 'audio/mp4', 'm4a'),
    kept('audio/*'),
  ],
  cover: [fitting('medium', 640), fitting('large', 1280), whole, kept('image/*')],
  profileImage: [square('thumbnail', 150), fitting('medium', 640), kept('image/*')],
} as const satisfies Record<string, readonly Format[]>

/** All copies that are made of a picture; a use shows those of its own list. */
export const pictureFormats: readonly Format[] = formats.contribution.filter(
  ({ forContentType, label }) => forContentType === 'image/*' && label !== original,
)
