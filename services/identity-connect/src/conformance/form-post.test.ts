import { coreModules } from '../testing/conformance/modules/core.ts'
import { runPlans } from '../testing/conformance/run-plans.ts'

/** The response is a form that the browser posts to the client. */
const formPost = true

runPlans([
  { name: 'form post basic: code', responseType: 'code', formPost, modules: coreModules },
  { name: 'form post implicit: id_token token', responseType: 'id_token token', formPost, modules: coreModules },
  {
    name: 'form post hybrid: code id_token token',
    responseType: 'code id_token token',
    formPost,
    modules: coreModules,
  },
])
