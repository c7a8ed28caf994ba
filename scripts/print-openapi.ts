// npm run openapi [-- FILE]: prints the OpenAPI document of this version, as served at `GET {base_url}/openapi.json`,
// without starting a service or querying a database.
import { writeFileSync } from 'node:fs'
import { printOpenApi } from './openapi-text.ts'

const [file] = process.argv.slice(2)
const text = await printOpenApi(process.env)
if (file) writeFileSync(file, text)
else process.stdout.write(text)
