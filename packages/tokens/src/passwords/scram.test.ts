import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { newPassword, verifierOf } from './scram.ts'

test('a verifier proves the server as in the example in RFC 7677', async () => {
  const verifier = await verifierOf('pencil', Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64'))
  const [, serverKey = ''] =
    /^SCRAM-SHA-256\$4096:W22ZaJ0SNY7soEsUEjb6gQ==\$[\w+/]{43}=:([\w+/]{43}=)$/.exec(verifier) ?? []
  const nonce = 'rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0'
  const exchange = `n=user,r=rOprNGfwEbeRWgbNEkqO,r=${nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,c=biws,r=${nonce}`
  const signature = createHmac('sha256', Buffer.from(serverKey, 'base64')).update(exchange).digest('base64')
  expect(signature).toBe('6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=')
})

test('passwords are unique and need no quoting in a connection string', () => {
  const passwords = new Set(Array.from({ length: 1000 }, newPassword))
  expect(passwords.size).toBe(1000)
  for (const password of passwords) expect(encodeURIComponent(password)).toBe(password)
})
