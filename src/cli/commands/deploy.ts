import { Argument } from 'commander';
import { DEPLOY_FILES, type DeployKind, deployFile } from '../../service/deploy.ts';
import { EXIT } from '../process/errors.ts';
import { addHelpSections, type Configure } from '../process/help.ts';

/** `svc deploy KIND`: prints a file that puts a service of this version into production. */
export const configureDeploy: Configure = (command, { io, exit }) => {
  const kinds = Object.entries(DEPLOY_FILES);
  const purposes = kinds.map(([kind, { purpose }]) => `${kind}: ${purpose}`);
  addHelpSections(command, {
    notes: [`${purposes.join('; ')}. svc-deploy(7) explains each file.`],
    examples: kinds.slice(0, 2).map(([kind, { file }]) => `svc deploy ${kind} > ${file}`),
  });
  command
    .addArgument(new Argument('<file>', 'the file to print').choices(Object.keys(DEPLOY_FILES)))
    .action((kind: DeployKind) => {
      io.stdout.write(deployFile(kind));
      exit(EXIT.agreed);
    });
};
