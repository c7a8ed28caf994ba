// npm run openapi [-- FILE]: the OpenAPI document of this version, as `GET {base_url}/openapi.json` serves it. Nothing is
// started and no database is asked.
import { writeFileSync } from 'node:fs'
import { printOpenApi } from './openapi-text.ts'

const [file] = process.argv.slice(2)
const text = await printOpenApi(process.env)
if (file) writeFileSync(file, text)
else process.stdout.write(text)
