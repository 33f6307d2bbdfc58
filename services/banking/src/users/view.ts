import { momentOf } from '../shapes/moments.ts'
import type { User } from './store.ts'

export function toUser(user: User) {
  const { id, uuid, displayName, email, phone, profile, sessionTimeout, createdAt, updatedAt, kind } = user
  return {
    id: Number(id),
    created: momentOf(createdAt),
    updated: momentOf(updatedAt),
    public_uuid: uuid,
    display_name: displayName,
    public_nick_name: displayName,
    alias: [
      { type: 'EMAIL', value: email, name: displayName },
      { type: 'PHONE_NUMBER', value: phone, name: displayName },
    ],
    avatar: null,
    status: 'ACTIVE',
    sub_status: 'NONE',
    session_timeout: sessionTimeout,
    daily_limit_without_confirmation_login: { value: '100.00', currency: 'EUR' },
    ...profile,
    ...(kind === 'UserPerson' && { legal_name: legalNameOf(user) }),
  }
}

export const legalNameOf = ({ displayName, profile }: User): string => {
  const parts = [profile.first_name, profile.middle_name, profile.last_name].filter(Boolean)
  return parts.length > 0 ? parts.join(' ') : displayName
}

type Person = ReturnType<typeof toUser> & { readonly legal_name: string }

export const wrapped = (user: User) =>
  ({ [user.kind]: toUser(user) }) as { UserPerson: Person } | { UserCompany: ReturnType<typeof toUser> }
