import { ignoring, named, type Static, Type } from '@icosa/contract'

const text = Type.String()
const orNull = Type.Nullable
const optionalText = Type.Optional(Type.String({ maxLength: 1_000 }))

/** `2026-01-31 12:00:00.000000`, in UTC. */
export const Moment = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(\\.\\d{6})?$' })

/** `#00A6A6`, in upper or lower case. */
export const color = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$' })

export const currencyCode = Type.String({ pattern: '^[A-Z]{3}$' })
/** An amount in requests: never negative. */
export const Amount = named('Amount', {
  value: Type.String({ pattern: '^\\d{1,12}(\\.\\d{1,3})?$' }),
  currency: currencyCode,
})
export interface Amount extends Static<typeof Amount> {}
/** An amount in responses: negative for debits. */
export const AmountShown = named('AmountShown', { value: text, currency: text })

export const Pointer = named('Pointer', {
  type: Type.String({ minLength: 1, maxLength: 40 }),
  value: Type.String({ minLength: 1, maxLength: 200 }),
  name: Type.Optional(orNull(Type.String({ maxLength: 1_000 }))),
  service: Type.Optional(orNull(Type.String({ maxLength: 1_000 }))),
})
export const PointerShown = named('PointerShown', {
  type: text,
  value: text,
  name: orNull(text),
  service: orNull(text),
})
export interface PointerShown extends Static<typeof PointerShown> {}
export interface Pointer extends Static<typeof Pointer> {}

export const uuid = Type.String({ pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' })

/** Size in pixels; null in avatars of earlier versions. */
export const Image = named('Image', {
  attachment_public_uuid: text,
  content_type: text,
  height: orNull(Type.Integer()),
  width: orNull(Type.Integer()),
})

export const AvatarShown = named('AvatarShown', {
  uuid: text,
  anchor_uuid: orNull(text),
  image: Type.Array(Image),
  style: orNull(text),
})
export interface AvatarShown extends Static<typeof AvatarShown> {}

export const LabelUser = named('LabelUser', {
  uuid: text,
  display_name: text,
  country: text,
  avatar: Type.Nullable(AvatarShown),
  public_nick_name: text,
})

export const LabelMonetaryAccount = named('LabelMonetaryAccount', {
  iban: Type.Nullable(text),
  display_name: text,
  avatar: Type.Nullable(AvatarShown),
  label_user: Type.Nullable(LabelUser),
  country: text,
  vendor_me: Type.Nullable(PointerShown),
  is_light: Type.Boolean(),
  swift_bic: Type.Nullable(text),
  swift_account_number: Type.Nullable(text),
  transferprovider_account_number: Type.Nullable(text),
  transferprovider_bank_code: Type.Nullable(text),
  merchant_category_code: Type.Nullable(text),
})
export interface LabelMonetaryAccount extends Static<typeof LabelMonetaryAccount> {}

const addressLines = {
  street: optionalText,
  house_number: optionalText,
  po_box: optionalText,
  postal_code: optionalText,
  city: optionalText,
  country: optionalText,
  extra: optionalText,
  mailbox_name: optionalText,
  province: optionalText,
}
/** `is_user_address_updated` is set by the service. */
export const Address = ignoring(named('Address', addressLines), ['is_user_address_updated'])
export interface Address extends Static<typeof Address> {}
const line = orNull(text)
export const AddressShown = named('AddressShown', {
  ...(Object.fromEntries(Object.keys(addressLines).map((name) => [name, line])) as {
    readonly [K in keyof typeof addressLines]: typeof line
  }),
  is_user_address_updated: Type.Boolean(),
})
export interface AddressShown extends Static<typeof AddressShown> {}

export const Geolocation = named('Geolocation', {
  latitude: text,
  longitude: text,
  altitude: text,
  radius: Type.Integer(),
})

export const AttachmentShown = named('AttachmentShown', {
  description: Type.Nullable(text),
  content_type: text,
  urls: Type.Array(Type.Record(Type.Unknown())),
})

export const AttachmentId = named('AttachmentId', { id: Type.Integer({ minimum: 1, maximum: 10 ** 15 }) })

/** The first fields of every resource. */
export const stamps = { id: Type.Integer(), created: Moment, updated: Moment }
