import { expect, test } from 'vitest'
import { start } from '../testing/app.ts'

test('the page is there in development mode, where everything on it is its own, and nowhere else', async () => {
  await using development = await start({ hasPage: true })
  const response = await fetch(`${development.url}/language-authoring/try`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await response.text()).toContain('Which intents are taken for which')
  await using usual = await start()
  expect((await fetch(`${usual.url}/language-authoring/try`)).status).toBe(404)
})
