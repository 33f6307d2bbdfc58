import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { defaultSettings, faceRecognition } from '../index.ts'

test('the page exists only in development mode, and loads nothing from elsewhere', async () => {
  await using development = await startTestApp(faceRecognition({ ...defaultSettings, hasPage: true }))
  const response = await fetch(`${development.url}/face-recognition/try`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await response.text()).toContain('is not stored')
  await using production = await startTestApp(faceRecognition())
  expect((await fetch(`${production.url}/face-recognition/try`)).status).toBe(404)
})
