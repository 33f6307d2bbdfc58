import { expect, test } from 'vitest'
import { start } from '../testing/app.ts'

test('the page exists only in development mode, and loads nothing from elsewhere', async () => {
  await using development = await start({ hasPage: true })
  const response = await fetch(`${development.url}/language-authoring/try`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await response.text()).toContain('Confusion matrix')
  await using production = await start()
  expect((await fetch(`${production.url}/language-authoring/try`)).status).toBe(404)
})
