import { behavesAsTheService } from './behaviour.mjs';
import { inProcess } from './targets.mjs';
import { judgesTheVectors } from './vectors.mjs';

behavesAsTheService('The reference service, called as a function', inProcess);
judgesTheVectors('The reference service, called as a function', inProcess);
