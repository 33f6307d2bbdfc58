import { extensions, named, oneOf, Type } from '@icosa/contract'
import { get, many, mixed, one, pageQuery, post, read, update } from '../dialect/contract.ts'
import {
  Address,
  AddressShown,
  Amount,
  AmountShown,
  AvatarShown,
  PointerShown,
  stamps,
  uuid,
} from '../shapes/contract.ts'

const name = Type.Optional(Type.String({ minLength: 1, maxLength: 100 }))
const text = Type.Optional(Type.String({ maxLength: 100 }))

const orNull = Type.Nullable
const TaxResident = named('TaxResident', { country: text, tax_number: text, status: text })

const common = {
  public_nick_name: name,
  address_main: Type.Optional(orNull(Address)),
  address_postal: Type.Optional(orNull(Address)),
  language: text,
  region: text,
  session_timeout: Type.Optional(Type.Integer({ minimum: 60, maximum: 7_776_000 })),
  daily_limit_without_confirmation_login: Type.Optional(Amount),
}
const writeOnly = {
  avatar_uuid: Type.Optional(orNull(uuid)),
  status: Type.Optional(oneOf('ACTIVE', 'CANCELLED')),
}
const ofPerson = {
  middle_name: text,
  date_of_birth: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })),
  nationality: text,
  gender: text,
}
const ofCompany = {
  chamber_of_commerce_number: text,
  legal_form: text,
  country: text,
}
const PersonChanges = named('UserPersonChanges', {
  ...common,
  ...writeOnly,
  ...ofPerson,
  display_name: name,
  first_name: name,
  last_name: name,
  tax_resident: Type.Optional(Type.Array(TaxResident, { maxItems: 20 })),
})
const CompanyChanges = named('UserCompanyChanges', { ...common, ...writeOnly, ...ofCompany, name })

const textOrNull = orNull(Type.String())
/** Null until the user sets it. */
const nullable = <P extends object>(fields: P) =>
  Object.fromEntries(Object.keys(fields).map((field) => [field, textOrNull])) as { [K in keyof P]: typeof textOrNull }

const returned = {
  ...stamps,
  public_uuid: Type.String(),
  display_name: Type.String(),
  public_nick_name: Type.String(),
  alias: Type.Array(PointerShown),
  avatar: orNull(AvatarShown),
  status: Type.String(),
  sub_status: Type.String(),
  session_timeout: Type.Integer(),
  daily_limit_without_confirmation_login: AmountShown,
  address_main: orNull(AddressShown),
  address_postal: orNull(AddressShown),
  language: textOrNull,
  region: textOrNull,
  version_terms_of_service: textOrNull,
  relations: Type.Array(Type.Record(Type.Unknown())),
  tax_resident: Type.Array(TaxResident),
}
const UserPerson = named('UserPerson', {
  ...returned,
  ...nullable(ofPerson),
  first_name: textOrNull,
  last_name: textOrNull,
  legal_name: Type.String(),
  place_of_birth: textOrNull,
  country_of_birth: textOrNull,
})
const UserCompany = named('UserCompany', { ...returned, ...nullable(ofCompany), name: textOrNull })

const AnyUser = named('AnyUser', {
  UserPerson: Type.Optional(UserPerson),
  UserCompany: Type.Optional(UserCompany),
})

const ApiKeyAnswer = one('ApiKey', named('ApiKey', { api_key: Type.String() }))
const Name = named('UserName', { name_array: Type.Array(Type.String()) })

export const users = extensions({
  createSandboxUser: post('/sandbox-user', {
    summary: 'Create a sandbox person with an account. Returns its API key.',
    replies: { 200: ApiKeyAnswer },
  }),
  createSandboxUserPerson: post('/sandbox-user-person', {
    summary: 'Create a sandbox person with an account. Returns its API key.',
    replies: { 200: ApiKeyAnswer },
  }),
  createSandboxUserCompany: post('/sandbox-user-company', {
    summary: 'Create a sandbox company with an account. Returns its API key.',
    replies: { 200: ApiKeyAnswer },
  }),
  listUsers: get('/user', {
    summary: 'List the user of the session; with a platform key, all users of its bank.',
    query: pageQuery,
    replies: { 200: mixed('UserList', AnyUser) },
  }),
  getUser: read('/user/{itemId}', 'Read a user of any kind.', named('UserAnswer', { Response: Type.Array(AnyUser) })),
  getUserPerson: read('/user-person/{itemId}', 'Read a person.', one('UserPerson', UserPerson)),
  updateUserPerson: update('/user-person/{itemId}', 'Change a person.', PersonChanges),
  getUserCompany: read('/user-company/{itemId}', 'Read a company.', one('UserCompany', UserCompany)),
  updateUserCompany: update('/user-company/{itemId}', 'Change a company.', CompanyChanges),
  listUserCompanyNames: get('/user-company/{user-companyID}/name', {
    summary: 'List the names that a company may use on cards and accounts.',
    replies: { 200: many('UserCompanyNameArray', Name) },
  }),
  listLegalNames: get('/user/{userID}/legal-name', {
    summary: 'List the names that a user may use on documents.',
    replies: { 200: many('UserLegalNameArray', named('LegalName', { legal_names: Type.Array(Type.String()) })) },
  }),
})
