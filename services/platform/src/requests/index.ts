export { isSecretName, secretsIn } from './secrets.ts'
