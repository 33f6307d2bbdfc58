/** Roles that may call a function. */
export const invokerRoles: readonly string[] = ['roles/cloudfunctions.invoker', 'roles/run.invoker']

export const invokePermissions: readonly string[] = ['cloudfunctions.functions.invoke', 'run.routes.invoke']

/** Permissions of the original, with their equivalents. */
export const permissions: Readonly<Record<string, string>> = {
  'cloudfunctions.functions.get': 'functions:getFunction',
  'cloudfunctions.functions.list': 'functions:listFunctions',
  'cloudfunctions.functions.create': 'functions:createFunction',
  'cloudfunctions.functions.update': 'functions:updateFunction',
  'cloudfunctions.functions.delete': 'functions:deleteFunction',
  'cloudfunctions.functions.sourceCodeGet': 'functions:generateDownloadUrl',
  'cloudfunctions.functions.sourceCodeSet': 'functions:generateUploadUrl',
  'cloudfunctions.functions.getIamPolicy': 'functions:getIamPolicy',
  'cloudfunctions.functions.setIamPolicy': 'functions:setIamPolicy',
  'cloudfunctions.operations.get': 'functions:getOperation',
  'cloudfunctions.operations.list': 'functions:listOperations',
}
