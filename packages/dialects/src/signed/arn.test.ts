import { expect, test } from 'vitest'
import { accountOf, arnOf, currentArn, isAccountOf, parseArn } from './arn.ts'

const of = (tenant: string) => arnOf({ service: 'shop', region: 'us-east-1', tenant, resource: 'book/1:2' })

test('the account in an ARN has twelve digits, derived from the tenant', () => {
  expect(accountOf('dev')).toMatch(/^\d{12}$/)
  expect(accountOf('dev')).toBe('817594701626')
  expect(of('dev')).toBe(`arn:aws:shop:us-east-1:${accountOf('dev')}:book/1:2`)
  expect(accountOf('123456789012')).toBe('123456789012')
  for (const name of ['x123456789012', '1234567890123']) expect(accountOf(name)).not.toBe(name)
  const accounts = Array.from({ length: 10_000 }, (_, number) => accountOf(`tenant-${number}`))
  expect(new Set(accounts).size).toBe(10_000)
  expect(accounts.every((account) => /^\d{12}$/.test(account))).toBe(true)
})

test('an account identifies its tenant, also in old ARNs with the name of the tenant', () => {
  expect(parseArn(of('dev'))).toMatchObject({ account: accountOf('dev'), resource: 'book/1:2' })
  for (const text of [
    `x${of('dev')}`,
    'arn:aws:shop:us-east-1:dev:',
    'arn:aws::us-east-1:dev:book',
    'arn::shop::dev:book',
  ])
    expect(parseArn(text), text).toBeUndefined()
  expect(parseArn('arn:aws:shop:::book'), 'of any region and account').toMatchObject({ region: '', account: '' })
  expect(isAccountOf(accountOf('dev'), 'dev')).toBe(true)
  expect(isAccountOf('dev', 'dev')).toBe(true)
  expect(isAccountOf(accountOf('acme'), 'dev')).toBe(false)
  expect(isAccountOf('acme', 'dev')).toBe(false)
  expect(currentArn('arn:aws:shop:us-east-1:dev:book/1:2', 'dev')).toBe(of('dev'))
  for (const text of [of('dev'), of('acme'), 'arn:aws:shop:us-east-1:acme:book/1', '/subscriptions/dev', 'dev'])
    expect(currentArn(text, 'dev')).toBe(text)
})
