import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { defaultSettings, faceRecognition } from '../index.ts'

test('the page is there in development mode, where everything on it is its own, and nowhere else', async () => {
  await using development = await startTestApp(faceRecognition({ ...defaultSettings, hasPage: true }))
  const response = await fetch(`${development.url}/face-recognition/try`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await response.text()).toContain('is not kept')
  await using usual = await startTestApp(faceRecognition())
  expect((await fetch(`${usual.url}/face-recognition/try`)).status).toBe(404)
})
