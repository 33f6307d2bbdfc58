import { extensions, named, oneOf, Type } from '@icosa/contract'
import { constructorsWith, IdAnswer, many, one, pageQuery } from '../dialect/contract.ts'
import { stamps } from '../shapes/contract.ts'

const { get, post, put } = constructorsWith({ 'credential-password-ipID': 'credential' })
const at = '/user/{userID}/credential-password-ip'
const ips = `${at}/{credential-password-ipID}/ip` as const
const text = Type.String()

const Credential = named('CredentialPasswordIp', {
  ...stamps,
  status: text,
  expiry_time: Type.Nullable(text),
  token_value: Type.Nullable(text),
  permitted_device: named('PermittedDevice', { description: text, ip: text }),
})
const Ip = named('PermittedIp', { id: Type.Integer(), ip: text, status: oneOf('ACTIVE', 'INACTIVE') })
const IpChanges = named('NewPermittedIp', {
  ip: Type.String({ minLength: 1, maxLength: 45 }),
  status: Type.Optional(oneOf('ACTIVE', 'INACTIVE')),
})

export const credentials = extensions({
  listCredentials: get(at, {
    summary: 'List the credentials of a user: one for each device that uses a key.',
    query: pageQuery,
    replies: { 200: many('CredentialPasswordIp', Credential) },
  }),
  getCredential: get(`${at}/{itemId}`, {
    summary: 'Read a credential. Its secret is never returned.',
    replies: { 200: one('CredentialPasswordIp', Credential) },
  }),
  listPermittedIps: get(ips, {
    summary: 'List the addresses from which a credential can be used.',
    replies: { 200: many('PermittedIp', Ip) },
  }),
  createPermittedIp: post(ips, {
    summary: 'Add an address from which a credential can be used; * is any.',
    body: IpChanges,
    replies: { 200: IdAnswer },
  }),
  getPermittedIp: get(`${ips}/{itemId}`, {
    summary: 'Read an address of a credential.',
    replies: { 200: one('PermittedIp', Ip) },
  }),
  updatePermittedIp: put(`${ips}/{itemId}`, {
    summary: 'Change an address of a credential, or deactivate it: its requests are refused immediately.',
    body: IpChanges,
    replies: { 200: IdAnswer },
  }),
})
