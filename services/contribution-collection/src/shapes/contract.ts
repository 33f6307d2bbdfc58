import { extension, named, type ObjectSchema, type Properties, readOnly, Type } from '@icosa/contract'

const { Optional } = Type

export const text = (maxLength: number) => Type.String({ maxLength })
export const number = Type.String({ pattern: '^[1-9][0-9]{0,17}$' })
export const dateTime = Type.String({ format: 'date-time', maxLength: 40 })

export const LatLong = named('LatLong', {
  latitude: Type.Number({ minimum: -90, maximum: 90 }),
  longitude: Type.Number({ minimum: -180, maximum: 180 }),
})

export const Place = named('Place', {
  name: Optional(text(200)),
  country: Optional(
    Type.String({ pattern: '^[A-Za-z]{2}$', description: 'A two-letter code; upper case in replies.' }),
  ),
  geohash: Optional(Type.String({ pattern: '^[0-9b-hjkmnp-zB-HJKMNP-Z]{1,12}$' })),
  latLong: Optional(LatLong),
  osm: Optional(
    named('OsmId', { osmId: Type.Optional(Type.Integer({ minimum: 0 })), osmType: Type.Optional(text(20)) }),
  ),
  google: Optional(text(200)),
})

export const Artifact = named('Artifact', {
  label: Type.String(),
  contentType: Type.String(),
  contentLength: Optional(Type.Number()),
  width: Optional(Type.Number()),
  height: Optional(Type.Number()),
  url: Type.String(),
})

export const Media = named('Media', {
  id: Type.String(),
  type: Optional(Type.String()),
  duration: Optional(Type.Number()),
  place: Optional(Place),
})

export const MediaUsage = named('MediaUsage', {
  id: Type.String(),
  media: Media,
  artifacts: Type.Array(Artifact),
})

/** Ignores unknown fields, since clients send objects as they were read. */
const open = <P extends Properties>(title: string, properties: P): ObjectSchema<P> =>
  Object.assign(named(title, properties), { additionalProperties: true })

/** Reference to an existing object by its id. */
export const reference = (title: string) => open(title, { id: number })

export const MediaUsageSubmission = open('MediaUsageSubmission', { media: reference('MediaReference') })

export const TagSet = named('TagSet', {
  id: Type.String(),
  name: Type.String(),
  urlWords: Optional(Type.String()),
})

export const Tag = named('Tag', {
  id: Type.String(),
  name: Type.String(),
  urlWords: Optional(Type.String()),
  colour: Optional(Type.String()),
  tagSet: Optional(TagSet),
})

export const TagReference = reference('TagReference')

export const Client = named('Client', { id: Type.String(), name: Optional(Type.String()) })

export const User = named('User', {
  id: Type.String(),
  username: Optional(Type.String()),
  displayName: Optional(Type.String()),
  bio: Optional(Type.String()),
  registered: Optional(Type.String()),
})

export const Authority = named('Authority', {
  id: Type.String(),
  client: Optional(Client),
  user: User,
})

const assignmentTexts = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Optional(text(10_000)),
  urlWords: Optional(Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 200 })),
  receiptMessage: Optional(text(2_000)),
  callToAction: Optional(text(500)),
  moderator: Optional(text(200)),
  allowsAnonymousContributions: Optional(Type.Boolean()),
  featured: Optional(Type.Boolean()),
  mediaRequired: Optional(Type.Boolean()),
  starts: Optional(dateTime),
  ends: Optional(dateTime),
  embargo: Optional(dateTime),
}

export const AssignmentSubmission = named('AssignmentSubmission', {
  id: Optional(number),
  ...assignmentTexts,
  cover: Optional(MediaUsageSubmission),
  tags: Optional(Type.Array(TagReference, { maxItems: 50 })),
})

export const Assignment = named('Assignment', {
  id: Type.String(),
  ...assignmentTexts,
  ownedBy: Optional(Type.String()),
  open: Type.Boolean(),
  created: Type.String(),
  cover: Optional(MediaUsage),
  tags: Type.Array(Tag),
  webUrl: Type.String(),
})

const ModerationState = named('ModerationState', {
  id: Type.String(),
  label: Type.String(),
  public: Type.Boolean(),
})

export const ModerationAction = named('ModerationAction', {
  id: Type.String(),
  label: Type.String(),
  resultingState: ModerationState,
})

/** The id is sufficient. A label or state must match the action. */
export const ModerationActionSubmission = named('ModerationActionSubmission', {
  id: text(50),
  label: Optional(text(100)),
  resultingState: Optional(
    named('ModerationStateSubmission', {
      id: text(50),
      label: Optional(text(100)),
      public: Optional(Type.Boolean()),
    }),
  ),
})

export const ModerationHistoryItem = named('ModerationHistoryItem', {
  date: Type.String(),
  action: ModerationAction,
  notes: Optional(Type.String()),
})

export const Via = named('Via', {
  authority: Optional(Authority),
  ipAddress: Optional(Type.String()),
})

export const Contribution = named('Contribution', {
  id: Type.String(),
  headline: Optional(Type.String()),
  body: Optional(Type.String()),
  created: Type.String(),
  assignment: Assignment,
  attribution: Type.String(),
  urlWords: Type.String(),
  place: Optional(Place),
  mediaUsages: Type.Array(MediaUsage),
  likeCount: extension(readOnly(Type.Integer())),
  webUrl: extension(readOnly(Optional(Type.String({ description: 'Its web page, while it is public.' })))),
  moderationHistory: readOnly(Optional(Type.Array(ModerationHistoryItem))),
  via: readOnly(Optional(Via)),
})

/** For platform keys only, to migrate contributions with their history. */
const movedFields = {
  created: extension(Optional(dateTime)),
  via: extension(
    Optional(
      named('ViaSubmission', {
        authority: Optional(open('AuthoritySubmission', { user: open('UserReference', { id: text(200) }) })),
        ipAddress: Optional(text(45)),
      }),
    ),
  ),
  moderationHistory: extension(
    Optional(
      Type.Array(
        named('PastModeration', { date: dateTime, action: ModerationActionSubmission, notes: Optional(text(5_000)) }),
        { maxItems: 100 },
      ),
    ),
  ),
}

export const ContributionSubmission = named('ContributionSubmission', {
  assignment: reference('AssignmentReference'),
  headline: Optional(text(500)),
  body: Optional(text(50_000)),
  attribution: Optional(text(200)),
  place: Optional(Place),
  mediaUsages: Optional(Type.Array(MediaUsageSubmission, { maxItems: 50 })),
  ...movedFields,
})
