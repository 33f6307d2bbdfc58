import { toAddress } from '../shapes/addresses.ts'
import type { Address, AvatarShown } from '../shapes/contract.ts'
import { momentOf } from '../shapes/moments.ts'
import type { User } from './store.ts'

const unset: Readonly<Record<User['kind'], object>> = {
  UserPerson: {
    first_name: null,
    middle_name: null,
    last_name: null,
    date_of_birth: null,
    nationality: null,
    gender: null,
    place_of_birth: null,
    country_of_birth: null,
  },
  UserCompany: { name: null, chamber_of_commerce_number: null, legal_form: null, country: null },
}

export function toUser(user: User) {
  const { id, uuid, displayName, email, phone, profile, sessionTimeout, createdAt, updatedAt, kind } = user
  const { address_main, address_postal, ...fields } = profile
  return {
    id: Number(id),
    created: momentOf(createdAt),
    updated: momentOf(updatedAt),
    public_uuid: uuid,
    display_name: displayName,
    public_nick_name: displayName,
    alias: [
      { type: 'EMAIL', value: email, name: displayName, service: null },
      { type: 'PHONE_NUMBER', value: phone, name: displayName, service: null },
    ],
    avatar: null,
    status: 'ACTIVE',
    sub_status: 'NONE',
    session_timeout: sessionTimeout,
    daily_limit_without_confirmation_login: { value: '100.00', currency: 'EUR' },
    address_main: toAddress(address_main as Address | undefined),
    address_postal: toAddress(address_postal as Address | undefined),
    language: null,
    region: null,
    version_terms_of_service: null,
    relations: [],
    tax_resident: [],
    ...unset[kind],
    ...fields,
    ...(kind === 'UserPerson' && { legal_name: legalNameOf(user) }),
  }
}

export const labelOfUser = ({ uuid, displayName, profile }: User) => ({
  uuid,
  display_name: displayName,
  country: 'NL',
  avatar: (profile.avatar ?? null) as AvatarShown | null,
  public_nick_name: (profile.public_nick_name as string | undefined) ?? displayName,
})

export const legalNameOf = ({ displayName, profile }: User): string => {
  const parts = [profile.first_name, profile.middle_name, profile.last_name].filter(Boolean)
  return parts.length > 0 ? parts.join(' ') : displayName
}

type UserView = ReturnType<typeof toUser>
type Nullable<K extends string> = { readonly [Name in K]: string | null }
export type PersonShown = UserView & { readonly legal_name: string } & Nullable<
    | 'first_name'
    | 'middle_name'
    | 'last_name'
    | 'date_of_birth'
    | 'nationality'
    | 'gender'
    | 'place_of_birth'
    | 'country_of_birth'
  >
export type CompanyShown = UserView & Nullable<'name' | 'chamber_of_commerce_number' | 'legal_form' | 'country'>

export const wrapped = (user: User) =>
  ({ [user.kind]: toUser(user) }) as { UserPerson: PersonShown } | { UserCompany: CompanyShown }
