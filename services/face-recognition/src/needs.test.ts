import { expect, test } from 'vitest'
import { loadingProblem, onnxruntime, onnxruntimeVersion } from './needs.ts'

test('a failure to load the networks names the install command, or the reason', () => {
  const error = new Error("Cannot find package 'onnxruntime-node'")
  expect(loadingProblem(error, undefined)).toContain(onnxruntime.remedy)
  expect(loadingProblem(new Error('no such file'), onnxruntimeVersion())).toMatch(/could not be loaded: no such file$/)
})
