import { behavesAsTheService } from '../behaviour.mjs';
import { reference } from '../targets.mjs';
import { judgesTheVectors } from '../vectors.mjs';

behavesAsTheService('The reference service', reference);
judgesTheVectors('The reference service', reference);
